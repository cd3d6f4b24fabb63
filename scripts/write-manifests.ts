// Writes the files that registries and clients read to find us, with the current name, version and
// descriptions.

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { manifests } from './publish/manifests.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
for (const [path, content] of Object.entries(manifests)) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(content, null, 2))
}
spawnSync('npx', ['biome', 'format', '--write', ...Object.keys(manifests)], { stdio: 'inherit' })
