import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildClient } from './build-client.ts'
import { bundleProgram } from './bundle-program.ts'
import { packagesOf } from './locked-packages.ts'
import { clientManifest, programManifest } from './manifests.ts'
import { noticesOf } from './notices.ts'
import type { Packed } from './packed.ts'
import { run } from './run.ts'
import { sbomFile, sbomOf } from './sbom.ts'
import { root } from './sources.ts'
import { bundle } from './write-bundle.ts'
import { writePlugin } from './write-plugin.ts'

const packages = {
  program: [stageProgram, pack],
  client: [stageClient, pack],
  bundle: [stageProgram, bundle],
  plugin: [stageProgram, writePlugin],
} as const
export type PackageName = keyof typeof packages

/**
 * Packs a package into `folder` as npm publishes it; `bundle` is the program for desktop clients, `plugin` a marketplace
 * for Claude Code whose plugin carries it. The program's web app has to be built.
 */
export async function writePackage(name: PackageName, folder: string): Promise<Packed> {
  const staging = await mkdtemp(join(tmpdir(), 'loci-pack-'))
  try {
    await mkdir(folder, { recursive: true })
    const [stage, write] = packages[name]
    return await write(await stage(join(staging, name)), folder)
  } finally {
    await rm(staging, { recursive: true })
  }
}

/** Keeps the repository's layout, so that files find each other. */
async function stageProgram(folder: string): Promise<string> {
  const bin = join(folder, 'server/bin')
  await mkdir(bin, { recursive: true })
  const bundled = await bundleProgram(join(folder, 'server/dist'))
  for (const name of ['compile-cache.js', 'oldest-node.js'])
    await cp(join(root, 'server/bin', name), join(bin, name))
  await cp(join(root, 'server/bin/published.js'), join(bin, 'loci.js'))
  await cp(join(root, 'web/dist'), join(folder, 'web/dist'), { recursive: true })
  await cp(join(import.meta.dirname, 'README.md'), join(folder, 'README.md'))
  await cp(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true })
  // For `loci connect`.
  for (const name of ['hooks', 'start.mjs', '.claude-plugin'])
    await cp(join(root, 'plugins/claude-code', name), join(folder, 'plugins/claude-code', name), {
      recursive: true,
    })
  const contents = await packagesOf(['server', 'web'], bundled)
  await writeFile(join(folder, 'THIRD-PARTY-NOTICES.txt'), await noticesOf(contents.packages))
  const manifest = await programManifest()
  await writeJson(join(folder, sbomFile), sbomOf(manifest, contents))
  await writeJson(join(folder, 'package.json'), manifest)
  return folder
}

async function stageClient(folder: string): Promise<string> {
  await mkdir(folder)
  await buildClient(folder)
  await cp(join(root, 'client/README.md'), join(folder, 'README.md'))
  await writeJson(join(folder, 'package.json'), await clientManifest())
  return folder
}

const writeJson = (path: string, value: object) => writeFile(path, `${JSON.stringify(value, null, 2)}\n`)

async function pack(folder: string, destination: string): Promise<Packed> {
  const output = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', destination],
    folder,
  )
  const [{ filename, size, unpackedSize, entryCount }] = JSON.parse(output)
  return { file: join(destination, filename), bytes: size, unpackedBytes: unpackedSize, files: entryCount }
}
