import { ignoreClosedOutput } from './commands/closed-output.ts'
import { runCommandLine } from './commands/command-line.ts'

// The database, backups and exports are nobody else's business, whatever the umask was.
process.umask(0o077)
ignoreClosedOutput()
await runCommandLine(process.argv)
