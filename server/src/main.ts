import { ignoreClosedOutput } from './doors/commands/closed-output.ts'
import { runCommandLine } from './doors/commands/command-line.ts'

// Only the owner can read the database, backups and exports, whatever the umask was.
process.umask(0o077)
ignoreClosedOutput()
await runCommandLine(process.argv)
