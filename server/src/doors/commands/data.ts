import { ExportFormat } from '@loci/contract/imports'
import type { Command } from 'commander'
import { accountOption, spaceOption } from './account-option.ts'

const passphraseOption = [
  '--passphrase-file <file>',
  'read the passphrase from a file, instead of LOCI_BACKUP_PASSPHRASE or the terminal',
] as const

/** `loci import|export|verify|audit|exam|erase|backup|restore|doctor|check`. */
export function registerDataCommands(program: Command): void {
  program
    .command('import')
    .description(
      "import a memory: an export of Loci, the reference memory server's file, exports of ChatGPT, Claude, mem0 and Zep, Markdown notes; or what agents wrote of their conversations",
    )
    .argument('<path>', 'a file, a ZIP archive or a folder; the format is detected')
    .option('--dry-run', 'print what would be imported and what is odd, and store nothing')
    .option('--conversations', 'take an export of ChatGPT or Claude as conversations, instead of entities')
    .option(...accountOption)
    .option(...spaceOption)
    .addHelpText(
      'after',
      '\nImporting a file again resumes where it was interrupted; after a finished import it changes nothing.',
    )
    .action(async (path, options) => (await import('./import.ts')).importPath(path, options))
  program
    .command('export')
    .description('write a memory to a file, or to a folder as Markdown notes or CSV tables')
    .argument('[path]', 'standard output if omitted or -; a folder or a .zip for markdown and csv')
    .option('--format <format>', ExportFormat.options.join(', '), 'loci')
    .option(...accountOption)
    .option(...spaceOption)
    .action(async (file, options) => (await import('./export.ts')).exportTo(file, options))
  program
    .command('verify')
    .description(
      'compare the files that facts rest on with those of a repository; the exit code is 1 if facts are stale',
    )
    .argument('[folder]', 'the root of the repository; the current folder if omitted')
    .option('--repository <name>', 'its name in facts, instead of that of its remote or folder')
    .option('--json', 'print the report as JSON')
    .option(...accountOption)
    .option(...spaceOption)
    .addHelpText(
      'after',
      '\nLines that have moved within a file are found by their content. With LOCI_URL and LOCI_API_KEY it works on that server.',
    )
    .action(async (folder, options) => (await import('./verify.ts')).verify(folder, options))
  program
    .command('audit')
    .description(
      'look for what is wrong with a memory: secrets, facts that may not both hold, duplicates, unclear and stale facts; the exit code is 1 if something is found',
    )
    .argument('[path]', "a file or folder, of Loci or another program; this machine's memory if omitted")
    .option('--html <file>', 'write the report as a page too')
    .option('--json', 'print the report as JSON')
    .option('--all', 'print up to 500 of each kind')
    .option(...accountOption)
    .option(...spaceOption)
    .addHelpText(
      'after',
      "\nReads the reference memory server's file, exports of mem0 and others, Markdown notes, and folders in which agents keep\ntheir memory. Nothing is stored or sent, and secrets are not printed.",
    )
    .action(async (path, options) => (await import('./audit.ts')).audit(path, options))
  program
    .command('exam')
    .description('ask questions whose answers are known, and print how much of them comes back')
    .argument('[file]', 'JSON lines: {"question", "evidence": [text or id], "kind"}')
    .option(
      '--from-conversations',
      'ask what later conversations began with, and names and dates of facts, of the memory of this machine',
    )
    .option('--write <file>', 'write the questions that were made to a file, to ask the same again')
    .option('--against <command>', 'ask another memory server, started by this command, the same over MCP')
    .option('--tool <name>', 'the tool of that server that is asked')
    .option('--tokens <number>', 'how much of an answer counts as shown', '2000')
    .option('--save <file>', 'write the run to a file')
    .option('--compare <file>', 'compare with a run that was saved')
    .option('--json', 'print the result as JSON')
    .option(...spaceOption)
    .action(async (path, options) => (await import('./exam.ts')).exam(path, options))
  program
    .command('erase')
    .description('erase entities for good, also from history')
    .argument('[entity...]', 'by name; deleted entities of that name too')
    .option('--id <id...>', 'by id')
    .option('--yes', 'do not ask')
    .option(...accountOption)
    .option(...spaceOption)
    .action(async (names, options) => (await import('./erase.ts')).erase(names, options))
  program
    .command('backup')
    .description('write the SQLite database and its secret to one file, even while the server is running')
    .argument('<file>', 'file to write; must not exist yet')
    .option('--encrypt', 'encrypt it with a passphrase, as `age` does')
    .option(...passphraseOption)
    .action(async (file, options) => (await import('./backup.ts')).backupTo(file, options))
  program
    .command('restore')
    .description('put a backup into an empty data directory')
    .argument('<file>', 'file written by `loci backup`')
    .option(...passphraseOption)
    .action(async (file, options) => (await import('./restore.ts')).restoreFrom(file, options))
  program
    .command('doctor')
    .description(
      'examine disk, backup, clock, proxy, TLS, mail, Stripe and webhooks, and say what to do; the exit code is 1 if something failed',
    )
    .option('--backup <file>', 'also restore this backup as a try, beside the data directory')
    .option('--json', 'print a line of JSON for each finding')
    .option(...passphraseOption)
    .action(async (options) => (await import('./doctor.ts')).doctor(options))
  program
    .command('check')
    .description('recompute counters and indexes, and report what differs')
    .option('--repair', 'repair what can be recomputed')
    .action(async (options) => (await import('./check.ts')).check(options))
}
