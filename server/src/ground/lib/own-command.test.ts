import { expect, test } from 'vitest'
import { ownCommand } from './own-command.ts'

test.each([
  ['/usr/local/bin/loci', 'loci claim', 'loci claim'],
  ['/home/ada/loci/server/bin/loci.js', 'npm exec loci -- claim', 'npx @loci/loci claim'],
  ['/home/ada/app/node_modules/.bin/loci', 'npm exec loci -- claim', 'npx @loci/loci claim'],
  ['/home/ada/.npm/_npx/1a2b/node_modules/.bin/loci', 'npm exec loci -- claim', 'npx @loci/loci claim'],
  ['', 'npm exec loci -- claim', 'npx @loci/loci claim'],
])('a program started as %s is told to be run as %s, and from its package as %s', (program, clone, npm) => {
  expect(ownCommand('claim', program, false)).toBe(clone)
  expect(ownCommand('claim', program, true)).toBe(npm)
})
