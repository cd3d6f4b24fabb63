// Compares the Node that npm brings with the one that nodejs.org signed, and records its sums: run
// `npm run check:node` whenever the version changes. Needs a network, gpg and tar. `-- --npm-only` records what npm
// brings without comparing it, and says so in the record.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type BinarySums, deliveredSum, findForeign } from './node/binaries.ts'
import { nodejsOrg } from './node/signed-sums.ts'

const readJson = async (path: string) => JSON.parse(await readFile(join(import.meta.dirname, path), 'utf8'))

const { optionalDependencies } = await readJson('../package.json')
const { packages } = await readJson('../package-lock.json')
const names = Object.keys(optionalDependencies).filter((name) => name.startsWith('node-'))
const version: string = optionalDependencies[names[0]!]
const binaries: BinarySums = {}
for (const name of names) {
  const { integrity } = packages[`node_modules/${name}`]
  binaries[name] = await deliveredSum(name, optionalDependencies[name], integrity)
  console.log(`${binaries[name]}  ${name} ${version}`)
}
const isCompared = !process.argv.includes('--npm-only')
const foreign = isCompared ? await findForeign(nodejsOrg, version, binaries) : []
if (foreign.length > 0) {
  console.error(`Not the binary of nodejs.org: ${foreign.join(', ')}. Nothing was recorded.`)
  process.exit(1)
}
const comparedWith = isCompared ? `${nodejsOrg.dist}/v${version}/SHASUMS256.txt` : null
const record = { version, comparedWith, binaries }
await writeFile(join(import.meta.dirname, 'node/sums.json'), `${JSON.stringify(record, null, 2)}\n`)
console.log(
  isCompared ? 'All are those that nodejs.org signed.' : 'Recorded without comparing them with nodejs.org.',
)
