import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The name of the project in a folder. The worktrees that Claude Code makes in a project are named after sessions. */
export function projectNameOf(folder: string): string {
  const [project = folder] = folder.split(/[\\/]\.claude[\\/]worktrees[\\/]/)
  return project.split(/[\\/]/).findLast((part) => part !== '') ?? folder
}

/** The folder of the repository of which a folder is a worktree or lies in one. Undefined everywhere else. */
export function mainWorktreeOf(folder: string): string | undefined {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const link = readLink(join(at, '.git'))
    if (link === undefined) continue
    // https://git-scm.com/docs/gitrepository-layout; a repository without a worktree of its own ends in .git.
    const [, repository] = /^gitdir: (.+?)[\\/]worktrees[\\/][^\\/]+\s*$/.exec(link) ?? []
    return repository && resolve(at, repository).replace(/[\\/]?\.git$/, '')
  }
  return undefined
}

/** The text of a file; empty if it is a folder, undefined if it cannot be read. */
function readLink(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EISDIR' ? '' : undefined
  }
}
