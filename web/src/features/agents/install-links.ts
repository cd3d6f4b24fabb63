import { program } from '@loci/contract/program'

/** How a client reaches a server: by its address, or by the command that starts it. */
type Server = { type?: 'http'; url: string } | { command: string; args: readonly string[] }

const config = (server: Server & { name?: string }) => JSON.stringify(server)

/** Opens Cursor, which asks whether to add the server. */
export function cursorLink(server: Server, name: string = program.name): string {
  return `cursor://anysphere.cursor-deeplink/mcp/install?${cursorQuery(server, name)}`
}

/** Opens VS Code, which asks whether to add the server. */
export function vscodeLink(server: Server, name: string = program.name): string {
  return `vscode:mcp/install?${encodeURIComponent(config({ name, ...server }))}`
}

/** The same link through Cursor's site, for pages such as GitHub's that allow only https links. */
export function cursorWebLink(server: Server): string {
  return `https://cursor.com/en/install-mcp?${cursorQuery(server, program.name)}`
}

/** The same link through VS Code's site. */
export function vscodeWebLink(server: Server): string {
  return `https://insiders.vscode.dev/redirect/mcp/install?name=${program.name}&config=${encodeURIComponent(config(server))}`
}

const cursorQuery = (server: Server, name: string) =>
  `name=${name}&config=${encodeURIComponent(btoa(config(server)))}`
