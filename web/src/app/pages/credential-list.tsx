import { Link } from '@tanstack/react-router'
import type { AccountDoors, Agent, Credential } from '../../features/doors/agents.rules.ts'
import { countOf } from '../../lib/format.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { UtcDate } from '../../ui/utc-date.tsx'
import classes from './credential-list.module.css'

type ListProps = { agents: readonly Agent[]; accounts: readonly AccountDoors[] }

/** The keys and connections behind the doors, one a row. */
export function CredentialList({ agents, accounts }: ListProps) {
  const credentials = agents.flatMap((agent) => agent.credentials).filter(({ kind }) => kind !== 'personal')
  if (credentials.length === 0)
    return (
      <p className={classes.nobody}>
        No agents yet.{' '}
        <Link to="/settings" hash="connect">
          Connect an agent
        </Link>
      </p>
    )
  const accountOf = (credential: Credential) => accounts.find(({ id }) => id === credential.accountId)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <section className={classes.scroll} aria-label="Keys and connections" tabIndex={0}>
      <table className={classes.credentials}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Key or app</th>
            {accounts.length > 1 && <th scope="col">Account</th>}
            <th scope="col">Opens</th>
            <th scope="col">Last used</th>
            <th scope="col">Expires</th>
          </tr>
        </thead>
        <tbody>
          {credentials.map((credential) => (
            <tr key={credential.id}>
              <th scope="row">
                <bdi title={credential.name}>{credential.name}</bdi>
              </th>
              <td className="loci-mono">{credential.preview}</td>
              {accounts.length > 1 && (
                <td>
                  <bdi>{accountOf(credential)?.name}</bdi>
                </td>
              )}
              <td>{opensOf(credential, accountOf(credential)?.spaces ?? [])}</td>
              <td>{credential.lastUsedAt === null ? 'Never' : <TimeText iso={credential.lastUsedAt} />}</td>
              <td>{credential.expiresAt === null ? 'Never' : <UtcDate iso={credential.expiresAt} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function opensOf(credential: Credential, spaces: AccountDoors['spaces']): string {
  const doors = spaces.map((space) => credential.door(space)).filter((door) => door !== 'none')
  const only = { read: ', read only', propose: ', propose only' } as Record<string, string>
  const [first] = doors
  const note = first !== undefined && doors.every((door) => door === first) ? (only[first] ?? '') : ''
  return countOf(doors.length, 'door', 'doors') + note
}
