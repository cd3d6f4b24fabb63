import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { freePort } from '../../../server/test/free-port.ts'
import { testSecret } from '../../../server/test/postgres.ts'
import { documented, take } from '../declared.ts'
import { root } from '../documented.ts'
import { type Place, shell } from '../place.ts'
import { startServer } from '../servers.ts'
import { unitEnvironment } from '../unit.ts'

const serve = documented('loci serve')
const migrate = documented('loci migrate')
const check = 'loci check'

/** A database of the first version is migrated by `loci migrate`, and another by a start; each leaves its copy. */
export async function upgrade(place: Place): Promise<void> {
  const { LOCI_SECRET_OLD: _, ...env } = await unitEnvironment(place)
  for (const way of ['migrate', 'serve'] as const) {
    const dataDir = join(place.root, 'var/lib', `old-${way}`)
    await mkdir(dataDir, { mode: 0o700 })
    const kept = await readFile(join(root, 'server/test/kept/0.1.0/sqlite.gz'))
    await writeFile(join(dataDir, 'loci.db'), gunzipSync(kept), { mode: 0o600 })
    const old = { ...env, LOCI_DATA_DIR: dataDir, LOCI_SECRET: testSecret }
    if (way === 'migrate') await shell(place, take(migrate), old)
    else await (await startServer(place, take(serve), { ...old, PORT: String(await freePort()) })).stop()
    assert.match(await shell(place, check, old), /No differences found/)
    const files = await readdir(dataDir)
    assert.ok(
      files.some((name) => name.startsWith('loci.db.before-')),
      files.join(),
    )
  }
}
