import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { rightOfMessage } from '@loci/contract/realtime'
import { Right, Role, reachOfRole } from '@loci/contract/rights'
import { commandRights } from '../src/doors/commands/command-rights.ts'
import { promptRights } from '../src/doors/mcp/prompts.ts'
import { resourcesRight } from '../src/doors/mcp/server.ts'
import type { Tool } from '../src/doors/mcp/tool.ts'
import { tools } from '../src/doors/mcp/tools/index.ts'

const reachWords = { all: 'yes', own: 'of their own' }

/** All calls with the right that each requires, as `docs/rights.md` shows them. */
export function rightsTable(): string {
  const endpoints = Object.values<Endpoint>(api)
  return [
    '# Rights',
    'Who may call what: generated from the code by `server/test/rights.test.ts`, which holds every door to it.',
    'What a caller may do is what the role of the person and the credential allow together. A missing right is 403 `not_permitted` with the name of the right in `details`; over MCP it is a tool error with the same code. Tools and prompts that a caller may not use are not listed to them.',
    '## Roles',
    table(
      ['Right', ...Role.options],
      Right.options.map((right) => [`\`${right}\``, ...Role.options.map((role) => cell(role, right))]),
    ),
    '## Credentials',
    table(
      ['Credential', 'Limits the role to'],
      [
        ['Session', 'nothing: it has all rights of the role'],
        ['Personal API key', '`memory:read`, `memory:write`, `conversations:read`, `conversations:write`'],
        [
          'API key',
          '`memory:read`, `memory:write`, `conversations:read`, `conversations:write`, or those of them in `permissions`; its `spaces`; until `expiresAt`',
        ],
        [
          'OAuth access token',
          '`memory:read`, `memory:write`, as the person granted them; one space; one hour. A tool beyond that is 403 `insufficient_scope`',
        ],
        ['None (`loci mcp` and commands on the database itself)', 'nothing: it has all rights of the role'],
      ],
    ),
    '## REST',
    '`session`: any person who is signed in, for what is their own. `credential`: any caller. `public`: anybody.',
    table(
      ['Requires', 'Calls'],
      byRequirement(
        endpoints.map(({ path, method, access, restriction }) => [
          restrictedTo(access, restriction),
          `${method} ${path}`,
        ]),
      ),
    ),
    '## MCP',
    table(
      ['Requires', 'Tools, prompts and requests'],
      byRequirement([
        ...tools.map(
          ({ name, right, ...listed }): Requiring => [restrictedTo(right, whereListed(listed)), name],
        ),
        ...promptRights.map(({ name, right }): Requiring => [restrictedTo(right), `prompts/get ${name}`]),
        [restrictedTo(resourcesRight), 'resources/read, resources/subscribe, completion/complete'],
      ]),
    ),
    '## WebSocket',
    table(
      ['Requires', 'Messages'],
      byRequirement(
        Object.entries(rightOfMessage).map(([type, right]) => [right ? `\`${right}\`` : 'nothing', type]),
      ),
    ),
    '## Commands',
    'All others are for whoever may read the database itself.',
    table(
      ['Requires', 'Commands'],
      byRequirement(
        Object.entries(commandRights).map(([name, right]) => [restrictedTo(right), `loci ${name}`]),
      ),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}

/** What it requires, and what it is. */
type Requiring = [requirement: string, call: string]

/** A row for each requirement, with all that have it, in their order. */
function byRequirement(calls: Requiring[]): string[][] {
  const rows = Map.groupBy(calls, ([requirement]) => requirement)
  return [...rows].map(([requirement, found]) => [
    requirement,
    found.map(([, call]) => `\`${call}\``).join(', '),
  ])
}

const restrictedTo = (requirement: string, restriction?: string) =>
  `\`${requirement}\`${restriction === undefined ? '' : `; ${restriction}`}`

function cell(role: Role, right: Right): string {
  const reach = reachOfRole(role, right)
  return reach === undefined ? '' : reachWords[reach]
}

const table = (head: string[], rows: string[][]) =>
  [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  ].join('\n')

function whereListed({
  onlyWithSpaces,
  onlyWithConversations,
}: Omit<Tool, 'name' | 'right'>): string | undefined {
  if (onlyWithSpaces) return 'listed where the credentials reach several spaces'
  return onlyWithConversations ? 'listed where there are conversations' : undefined
}
