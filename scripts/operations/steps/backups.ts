import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { documented, take } from '../declared.ts'
import { here, type Place, shell } from '../place.ts'
import { unitEnvironment } from '../unit.ts'
import { ada } from './public-address.ts'

const backup = documented('loci backup FILE')
const mentions = ['loci backup', 'loci restore', 'loci export'].map((text) => documented(text))
const asUser = documented('sudo -u loci LOCI_DATA_DIR=/var/lib/loci loci backup /var/lib/loci/loci.backup')
const encrypted = documented('loci backup --encrypt')
const age = documented('age --decrypt FILE | tar x')
const restoreTry = documented('LOCI_DATA_DIR=/tmp/try loci restore FILE')
const restore = documented('loci restore FILE')
const check = documented('loci check')
const importFile = documented('loci import FILE|FOLDER')
const vault = documented('loci export FOLDER --format markdown')
const passphrase = 'nine quiet engines weave'

/** Backs up while the server runs, opens the file without Loci, restores it elsewhere and checks it there. */
export async function backUp(place: Place): Promise<void> {
  const env = await unitEnvironment(place)
  for (const one of mentions) take(one)
  const file = join(place.home, 'loci.backup')
  await shell(place, take(backup).replace('FILE', file), env)
  await shell(place, here(place, take(asUser)).replace('sudo -u loci ', ''), env)
  const sealed = join(place.home, 'sealed.backup')
  const secret = { ...env, LOCI_BACKUP_PASSPHRASE: passphrase }
  await shell(place, `${take(encrypted)} ${sealed}`, secret)
  await shell(place, `mkdir -p opened; cd opened; ${withTerminal(take(age).replace('FILE', sealed))}`, env)
  assert.deepEqual(
    await readFile(join(place.home, 'opened/loci.db')).then((bytes) => bytes.subarray(0, 6).toString()),
    'SQLite',
  )
  const elsewhere = here(place, take(restoreTry))
  await shell(place, elsewhere.replace('FILE', file), env)
  const tried = { ...env, LOCI_DATA_DIR: here(place, '/tmp/try') }
  assert.match(await shell(place, take(check), tried), /No differences found/)
  const other = { ...secret, LOCI_DATA_DIR: here(place, '/tmp/sealed') }
  await shell(place, take(restore).replace('FILE', sealed), other)
  assert.match(await shell(place, 'loci account list', other), new RegExp(ada.email))
  await shell(place, `loci doctor --backup ${file} --json | grep '"restore","state":"ok"'`, env)
}

/** age asks for the passphrase on a terminal only. */
const withTerminal = (command: string) => `script -qec '${command}' /dev/null <<< '${passphrase}' > /dev/null`

/** Every format, and the vault read back whole. */
export async function exportAll(place: Place): Promise<void> {
  const env = await unitEnvironment(place)
  const whose = `--account ${ada.email}`
  for (const format of ['mcp-memory', 'csv', 'graphml', 'json-ld'])
    await shell(place, `loci export memory.${format} --format ${format} ${whose}`, env)
  await shell(place, `${take(vault).replace('FOLDER', 'vault')} ${whose}`, env)
  await writeFile(join(place.home, 'password'), 'the vault is read here\n')
  await shell(place, 'loci user create vault@example.com --password-stdin < password', env)
  const source = take(importFile).replace('FILE|FOLDER', 'vault')
  const said = await shell(place, `${source} --account vault@example.com`, env)
  assert.match(said, /entities/)
  const counts = (await shell(place, 'loci account list --json', env))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const entitiesOf = (email: string) => counts.find(({ owner }) => owner === email)?.entities
  assert.equal(entitiesOf('vault@example.com'), entitiesOf(ada.email))
}
