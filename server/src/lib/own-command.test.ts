import { expect, test } from 'vitest'
import { ownCommand } from './own-command.ts'

test.each([
  ['/usr/local/bin/loci', 'loci claim'],
  ['/home/ada/loci/server/bin/loci.js', 'npm exec loci -- claim'],
  ['/home/ada/loci/node_modules/.bin/loci', 'npm exec loci -- claim'],
  ['', 'npm exec loci -- claim'],
])('a program started as %s is told to be run as %s', (program, command) => {
  expect(ownCommand('claim', program)).toBe(command)
})
