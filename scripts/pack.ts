// Packs what is published on npm, the bundle for desktop clients and the plugin: `npm run pack -- FOLDER`, or one of them,
// `npm run pack -- FOLDER client`.
import { resolve } from 'node:path'
import { type PackageName, writePackage } from './pack/write-packages.ts'

const all: PackageName[] = ['program', 'client', 'bundle', 'plugin']
const [folder, only] = process.argv.slice(2)
const names = all.filter((name) => only === undefined || name === only)
if (folder === undefined || names.length === 0) {
  console.error('Say where the packages go: npm run pack -- FOLDER [program|client|bundle|plugin]')
  process.exit(1)
}
for (const name of names) {
  const { file, bytes, unpackedBytes, files } = await writePackage(name, resolve(folder))
  const megabytes = (size: number) => `${(size / 1e6).toFixed(1)} MB`
  console.log(`${file}: ${megabytes(bytes)}, unpacked ${megabytes(unpackedBytes)} in ${files} files`)
}
