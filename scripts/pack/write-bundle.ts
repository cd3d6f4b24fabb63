import { cp, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { program } from '../../contract/src/program.ts'
import { version } from '../../server/src/ground/version.ts'
import { bundleManifest } from './bundle-manifest.ts'
import type { Packed } from './packed.ts'
import { run } from './run.ts'
import { sizesBelow } from './sizes-below.ts'
import { root } from './sources.ts'

/** Makes the bundle for desktop clients of a folder with the program; its own tool packs and checks it. */
export async function bundle(folder: string, destination: string): Promise<Packed> {
  await cp(join(root, 'web/public/icon-512.png'), join(folder, 'icon.png'))
  await writeFile(join(folder, 'manifest.json'), JSON.stringify(bundleManifest, null, 2))
  const file = join(destination, `${program.name}-${version}.mcpb`)
  await run('npx', ['mcpb', 'pack', folder, file], root)
  const sizes = await sizesBelow(folder)
  const unpackedBytes = sizes.reduce((sum, size) => sum + size, 0)
  return { file, bytes: (await stat(file)).size, unpackedBytes, files: sizes.length }
}
