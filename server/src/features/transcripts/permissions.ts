import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folderName = 'follow'

/** The file that a person's yes leaves: its agent may be followed. Whoever deletes it takes that back. */
export const permissionFile = (dataDir: string, agent: string): string =>
  join(dataDir, folderName, `${agent}.json`)

/** What stands in it. `to`: the server that keeps the conversations; undefined for this machine. */
export const permissionText = (agent: string, to: string | undefined): string =>
  `${JSON.stringify({ follow: agent, to: to ?? 'this machine' })}\n`

/** What stands in the file of an agent that the person wants connected and not followed. */
export const refusalText = (agent: string): string => `${JSON.stringify({ follow: agent, to: null })}\n`

/** The agents whose conversations may be kept there, in order. */
export function allowedAgents(dataDir: string, to: string | undefined): string[] {
  return namesIn(join(dataDir, folderName))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((agent) => readText(permissionFile(dataDir, agent)) === permissionText(agent, to))
    .sort()
}

/** Whether the person has said yes or no here for some agent. */
export const wasAsked = (dataDir: string): boolean => existsSync(join(dataDir, folderName))

/** The names in a folder; none if nobody has made it yet. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
