import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createRestClient } from '@loci/client/rest'
import { documented, take } from '../declared.ts'
import { configure, here, type Place, publicUrl, shell } from '../place.ts'
import { type Unit, unitEnvironment } from '../unit.ts'
import { ada } from './public-address.ts'

const generate = documented('openssl rand -base64 32')
const readOld = documented('cat ~/.loci/secret')
const reset = documented('loci secret reset')
const told = 'stored secrets are sealed with LOCI_SECRET now'

/** Changes the secret as the page says; the personal key can still be shown, which is encrypted with it. */
export async function rotateSecret(place: Place, unit: Unit, apiKey: string): Promise<void> {
  const secret = (await shell(place, take(generate))).trim()
  const old = here(place, take(readOld)).replace(`${place.home}/.loci`, `${place.root}/var/lib/loci`)
  await configure(place, { LOCI_SECRET: secret, LOCI_SECRET_OLD: (await shell(place, old)).trim() })
  await unit.restart()
  const journal = join(place.home, `journal-${place.ports.server}`)
  for (const end = Date.now() + 30_000; !(await readFile(journal, 'utf8')).includes(told); )
    if (Date.now() > end) throw new Error(`The journal does not say: ${told}`)
  await configure(place, { LOCI_SECRET_OLD: undefined })
  await unit.restart()
  const { user } = await createRestClient({ baseUrl: publicUrl(place) }).login({ body: ada })
  assert.equal(user.apiKey, apiKey)
  assert.match(await shell(place, take(reset), await unitEnvironment(place)).catch(String), /secret/i)
}
