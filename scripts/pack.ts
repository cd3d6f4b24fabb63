// Packs what is published on npm: `npm run pack -- FOLDER`.
import { resolve } from 'node:path'
import { writePackages } from './pack/write-packages.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Say where the packages go: npm run pack -- FOLDER')
  process.exit(1)
}
for (const { file, bytes, unpackedBytes, files } of Object.values(await writePackages(resolve(folder)))) {
  const megabytes = (size: number) => `${(size / 1e6).toFixed(1)} MB`
  console.log(`${file}: ${megabytes(bytes)}, unpacked ${megabytes(unpackedBytes)} in ${files} files`)
}
