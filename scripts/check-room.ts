/** `npm run check:room -- server/src/memory`: types of the room's project, and the room's tests on SQLite only. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'

const [room] = process.argv.slice(2)
if (room === undefined || !existsSync(room)) {
  console.error('Usage: npm run check:room -- FOLDER, such as server/src/memory')
  process.exit(2)
}
const [project = ''] = room.split('/')

async function run(command: string, args: string[]): Promise<void> {
  const env = { ...process.env, LOCI_TEST_DATABASE: 'sqlite' }
  const [status] = await once(spawn(command, args, { stdio: 'inherit', env }), 'exit')
  if (status !== 0) process.exitCode = 1
}

await Promise.all([
  run('tsc', ['-p', existsSync(`${project}/tsconfig.json`) ? project : 'scripts', '--checkers', '1']),
  run('vitest', ['run', room, '--passWithNoTests', '--reporter=dot', '-t', '^(?!.*\\bpostgres\\b)']),
])
