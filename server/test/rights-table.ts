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
    'Generated from the code by `server/test/rights.test.ts`, which holds every door to it.',
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
      ['Call', 'Requires'],
      endpoints.map(({ method, path, access, restriction }) => [
        `\`${method} ${path}\``,
        restrictedTo(access, restriction),
      ]),
    ),
    '## MCP',
    table(
      ['Tool, prompt or request', 'Requires'],
      [
        ...tools.map(({ name, right, ...listed }) => [
          `\`${name}\``,
          restrictedTo(right, whereListed(listed)),
        ]),
        ...promptRights.map(({ name, right }) => [`prompt \`${name}\``, `\`${right}\``]),
        ['resources: read, subscribe, complete', `\`${resourcesRight}\``],
      ],
    ),
    '## WebSocket',
    table(
      ['Message', 'Requires'],
      Object.entries(rightOfMessage).map(([type, right]) => [
        `\`${type}\``,
        right ? `\`${right}\`` : 'nothing',
      ]),
    ),
    '## Commands',
    'All others are for whoever may read the database itself.',
    table(
      ['Command', 'Requires'],
      Object.entries(commandRights).map(([name, right]) => [`\`loci ${name}\``, `\`${right}\``]),
    ),
  ]
    .join('\n\n')
    .concat('\n')
}

const restrictedTo = (requirement: string, restriction: string | undefined) =>
  `\`${requirement}\`${restriction === undefined ? '' : `; ${restriction}`}`

function cell(role: Role, right: Right): string {
  const reach = reachOfRole(role, right)
  return reach === undefined ? '' : reachWords[reach]
}

const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function whereListed({
  onlyWithSpaces,
  onlyWithConversations,
}: Omit<Tool, 'name' | 'right'>): string | undefined {
  if (onlyWithSpaces) return 'listed where the credentials reach several spaces'
  return onlyWithConversations ? 'listed where there are conversations' : undefined
}
