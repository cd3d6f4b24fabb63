import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countOf, formatBytes, formatNumber } from '../../lib/format.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import { useConversationCounts } from './conversations.queries.ts'
import classes from './storage-panel.module.css'

const projectsShown = 8

/** How much room conversations take, by agent and project, and how long they are kept. */
export function StoragePanel() {
  const query = useConversationCounts()
  return (
    <Loaded
      query={query}
      failure="Could not load the numbers of conversations."
      waiting={<LoadingText>Loading the numbers of conversations...</LoadingText>}
    >
      {({ conversations, turns, bytes, isComplete, agents, projects }) => (
        <div className={classes.panel}>
          <p className={classes.text}>
            <b>
              {formatBytes(bytes)}
              {!isComplete && ' or more'}
            </b>{' '}
            in {countOf(conversations, 'conversation', 'conversations')} with{' '}
            {countOf(turns, 'turn', 'turns')}.
          </p>
          {conversations > 0 && (
            <table className={classes.table}>
              <thead>
                <tr>
                  <th scope="col">Agent or project</th>
                  <th scope="col">Conversations</th>
                  <th scope="col">Turns</th>
                  <th scope="col">Size</th>
                </tr>
              </thead>
              <tbody>
                {agents.map(({ agent, ...numbers }) => (
                  <Row key={`agent ${agent}`} {...numbers}>
                    <WriterMark name={agent} isAgent />
                    <Link to="/conversations" search={{ agent }} className={classes.name}>
                      <bdi>{agent}</bdi>
                    </Link>
                  </Row>
                ))}
                {projects.slice(0, projectsShown).map(({ name, ...numbers }) => (
                  <Row key={`project ${name}`} {...numbers}>
                    <Link to="/conversations" search={{ project: name }} className={classes.name}>
                      <bdi>{name}</bdi>
                    </Link>
                  </Row>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </Loaded>
  )
}

type RowProps = { conversations: number; turns: number; bytes: number; children: ReactNode }

const Row = ({ conversations, turns, bytes, children }: RowProps) => (
  <tr>
    <th scope="row">
      <span className={classes.who}>{children}</span>
    </th>
    <td>{formatNumber(conversations)}</td>
    <td>{formatNumber(turns)}</td>
    <td>{formatBytes(bytes)}</td>
  </tr>
)
