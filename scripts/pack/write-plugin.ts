import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { marketplaceJson } from '../publish/claude-code-plugin.ts'
import type { Packed } from './packed.ts'
import { sizesBelow } from './sizes-below.ts'
import { root } from './sources.ts'

/** Writes a marketplace whose plugin carries the program in `program`, so that Claude Code starts it without a network. */
export async function writePlugin(program: string, destination: string): Promise<Packed> {
  const folder = join(destination, 'claude-code-marketplace')
  const plugin = join(folder, marketplaceJson.plugins[0]!.source)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await cp(join(root, '.claude-plugin'), join(folder, '.claude-plugin'), { recursive: true })
  await cp(join(root, 'plugins/claude-code'), plugin, { recursive: true })
  await rm(join(plugin, 'clone.json'), { force: true })
  await cp(program, join(plugin, 'program'), { recursive: true })
  const sizes = await sizesBelow(folder)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  return { file: folder, bytes, unpackedBytes: bytes, files: sizes.length }
}
