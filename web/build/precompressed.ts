import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip as gzipCallback } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const gzip = promisify(gzipCallback)
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
const compressible = /\.(js|css)$/
const smallest = 1_024

/** Writes `.br` and `.gz` beside files that compress well, so that the server only has to send them. */
export function precompressed(): Plugin {
  return {
    name: 'loci:precompressed',
    apply: 'build',
    // Compresses the written files: until then Vite still fills in the chunks to preload.
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => compressible.test(name))
      await Promise.all(names.map((name) => compressFile(join(dir, name))))
    },
  }
}

async function compressFile(path: string): Promise<void> {
  const content = await readFile(path)
  if (content.length < smallest) return
  await writeFile(`${path}.br`, await brotli(content, brotliOptions))
  await writeFile(`${path}.gz`, await gzip(content, { level: constants.Z_BEST_COMPRESSION }))
}
