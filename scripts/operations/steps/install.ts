import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../pack/run.ts'
import { writePackage } from '../../pack/write-packages.ts'
import { documented, notRun, take } from '../declared.ts'
import { root } from '../documented.ts'
import { here, type Place, shell } from '../place.ts'

const systemd = documented('npm install --global --prefix /usr/local @loci/loci')
const pack = documented('npm run pack -- FOLDER')
const units = ['deploy/loci.service', 'deploy/loci.socket'].map(documented)
/** They would change this machine. */
const systemOnly = /^(useradd|systemctl) .*\n/gm

notRun(
  'not published yet; its packed tarball is installed instead',
  ...['npx @loci/loci', 'npm install --global @loci/loci'],
)
notRun('needs systemd as the first process', 'systemctl edit loci.socket')
notRun('publishes', 'npm publish')
notRun('installs into empty folders on four versions of Node; run it by itself', 'npm run test:pack')

/** Installs the packed program and its units below our root, as the page says. */
export async function install(place: Place): Promise<void> {
  take(pack)
  const { file } = await writePackage('program', join(place.home, 'packages'))
  const script = here(place, take(systemd)).replaceAll(systemOnly, '').replace(' @loci/loci\n', ` ${file}\n`)
  await shell(place, script, await quickNpm())
  const copied = ['loci.service', 'loci.socket'].map((name) => join(place.root, 'etc/systemd/system', name))
  for (const [index, unit] of units.entries())
    assert.equal(await readFile(copied[index]!, 'utf8'), await readFile(join(root, take(unit)), 'utf8'))
  await verify(place, copied)
}

const npmSetting = async (name: string) => (await run('npm', ['config', 'get', name], root)).trim()

/** The home is empty, but what npm has downloaded before need not come again, and it trusts whom it does here. */
export const quickNpm = async () => ({
  npm_config_cache: await npmSetting('cache'),
  npm_config_cafile: (await npmSetting('cafile')).replace(/^null$/, ''),
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
})

/** systemd looks for the program where the unit says; ours is below our root. */
async function verify(place: Place, copied: readonly string[]): Promise<void> {
  const folder = join(place.home, 'units')
  await shell(
    place,
    `mkdir -p ${folder}; cp ${copied.join(' ')} ${folder}
    sed -i 's|^ExecStart=/usr/local|ExecStart=${place.root}/usr/local|' ${folder}/loci.service
    systemd-analyze verify ${folder}/loci.service ${folder}/loci.socket`,
  )
}
