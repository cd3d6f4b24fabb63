import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClient } from './build-client.ts'
import { bundleProgram } from './bundle-program.ts'
import { clientManifest, programManifest } from './manifests.ts'
import { noticesOf } from './notices.ts'
import { run } from './run.ts'
import { root } from './sources.ts'

export type Packed = { file: string; bytes: number; unpackedBytes: number; files: number }

/** Packs the program and its client into `folder` as npm publishes them. The web app has to be built. */
export async function writePackages(folder: string): Promise<{ program: Packed; client: Packed }> {
  const staging = await mkdtemp(join(tmpdir(), 'loci-pack-'))
  try {
    await mkdir(folder, { recursive: true })
    const [program, client] = await Promise.all([
      stageProgram(join(staging, 'program')),
      stageClient(join(staging, 'client')),
    ])
    return { program: await pack(program, folder), client: await pack(client, folder) }
  } finally {
    await rm(staging, { recursive: true })
  }
}

/** Where files lie as in the repository, they find each other as there. */
async function stageProgram(folder: string): Promise<string> {
  const bin = join(folder, 'server/bin')
  await mkdir(bin, { recursive: true })
  await bundleProgram(join(folder, 'server/dist'))
  for (const name of ['compile-cache.js', 'oldest-node.js'])
    await cp(join(root, 'server/bin', name), join(bin, name))
  await cp(join(root, 'server/bin/published.js'), join(bin, 'loci.js'))
  await cp(join(root, 'web/dist'), join(folder, 'web/dist'), { recursive: true })
  await cp(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'))
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await noticesOf(['server', 'web']))
  await writeManifest(folder, await programManifest())
  return folder
}

async function stageClient(folder: string): Promise<string> {
  await mkdir(folder)
  await buildClient(folder)
  await cp(join(root, 'client/README.md'), join(folder, 'README.md'))
  await writeManifest(folder, await clientManifest())
  return folder
}

const writeManifest = (folder: string, manifest: object) =>
  writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

async function pack(folder: string, destination: string): Promise<Packed> {
  const output = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', destination],
    folder,
  )
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(output)
  return { file: join(destination, filename), bytes: size, unpackedBytes: unpackedSize, files: entryCount }
}
