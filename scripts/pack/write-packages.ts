import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClient } from './build-client.ts'
import { bundleProgram } from './bundle-program.ts'
import { clientManifest, programManifest } from './manifests.ts'
import { noticesOf } from './notices.ts'
import { run } from './run.ts'
import { root } from './sources.ts'
import { bundle } from './write-bundle.ts'

export type Packed = { file: string; bytes: number; unpackedBytes: number; files: number }

const stagers = { program: stageProgram, client: stageClient, bundle: stageProgram }
export type PackageName = keyof typeof stagers

/**
 * Packs a package into `folder` as npm publishes it; `bundle` is the program for desktop clients. The program's web app
 * has to be built.
 */
export async function writePackage(name: PackageName, folder: string): Promise<Packed> {
  const staging = await mkdtemp(join(tmpdir(), 'loci-pack-'))
  try {
    await mkdir(folder, { recursive: true })
    const staged = await stagers[name](join(staging, name))
    return await (name === 'bundle' ? bundle : pack)(staged, folder)
  } finally {
    await rm(staging, { recursive: true })
  }
}

/** Keeps the repository's layout, so that files find each other. */
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
