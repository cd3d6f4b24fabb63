// Which project a folder belongs to. The server takes it from here too, so that all name a project alike.
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The name of the repository that the folder was cloned from, else of the one that it lies in, else its own. */
export function projectNameOf(folder) {
  const repository = repositoryOf(folder)
  return (repository && originIn(repository.config)) || nameOfFolder(repository?.main ?? folder)
}

/** The name that the path alone tells. Claude Code names the worktrees that it makes in a project after sessions. */
export function nameOfFolder(folder) {
  const [project] = folder.split(/[\\/]\.claude[\\/]worktrees[\\/]/)
  return lastOf(project.split(/[\\/]/)) ?? folder
}

/** The folder of the repository that a folder, or its worktree, lies in. Undefined elsewhere. */
export function mainFolderOf(folder) {
  return repositoryOf(folder)?.main
}

/** As https://git-scm.com/docs/gitrepository-layout has it. */
function repositoryOf(folder) {
  for (let at = folder; dirname(at) !== at; at = dirname(at)) {
    const link = readText(join(at, '.git'))
    if (link === undefined) continue
    // A home that is a repository keeps settings; the projects below are not of it.
    if (link === '' && at === homedir() && at !== folder) return undefined
    if (link === '') return { main: at, config: join(at, '.git/config') }
    const own = resolve(at, /^gitdir: (.+?)\s*$/.exec(link)?.[1] ?? '.git')
    const shared = /^(.+)[\\/]worktrees[\\/][^\\/]+$/.exec(own)?.[1]
    // A repository without a worktree of its own ends in .git; a submodule has no other.
    return { main: shared?.replace(/[\\/]?\.git$/, '') ?? at, config: join(shared ?? own, 'config') }
  }
  return undefined
}

function originIn(config) {
  const sections = (readText(config) ?? '').split(/^\s*\[/m)
  const origin = sections.find((section) => section.startsWith('remote "origin"]')) ?? ''
  const [, url = ''] = /^\s*url\s*=\s*"?([^"\n]+)/m.exec(origin) ?? []
  return lastOf(url.trim().split(/[\\/:]/))?.replace(/\.git$/, '')
}

const lastOf = (parts) => parts.findLast((part) => part !== '')

/** The text of a file; empty if it is a folder, undefined if it cannot be read. */
function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return error.code === 'EISDIR' ? '' : undefined
  }
}
