import { type ApiKey, previewOfKey } from '@loci/contract/keys'
import { ActionIcon, Badge, Button, Card } from '@mantine/core'
import { IconEye, IconEyeOff, IconHistory, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useSpaces } from '../../lib/spaces.ts'
import { CopyIcon } from '../../ui/copy-button.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import classes from './key-card.module.css'
import { describeLastOperation, describePermissions, describeSpaces } from './keys.rules.ts'

type KeyCardProps = {
  apiKey: ApiKey
  /** The whole key, if it was created in this session. */
  secret: string | undefined
  onRoll: () => void
  onDelete: () => void
}

export function KeyCard({ apiKey, secret, onRoll, onDelete }: KeyCardProps) {
  const state = stateOf(apiKey)
  const { data: spaces = [] } = useSpaces()
  return (
    <Card component="article" padding="md" className={classes.card} data-state={state}>
      <header className={classes.head}>
        <div className={classes.title}>
          <h2 className={classes.name} title={apiKey.name} dir="auto">
            {apiKey.name}
          </h2>
          {state === 'expired' && (
            <Badge color="red" miw="max-content">
              Expired
            </Badge>
          )}
          {state === 'expiring' && (
            <Badge color="yellow" miw="max-content">
              Expires Soon
            </Badge>
          )}
        </div>
        <div className={classes.buttons}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconHistory size={14} />}
            renderRoot={(props) => <Link {...props} to="/history" search={{ actorId: apiKey.id }} />}
          >
            History
          </Button>
          <Button variant="default" size="xs" leftSection={<IconRefresh size={14} />} onClick={onRoll}>
            Roll
          </Button>
          <Button
            variant="default"
            size="xs"
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={14} />}
            onClick={onDelete}
          >
            Delete
          </Button>
        </div>
      </header>
      <KeyText preview={secret ? previewOfKey(secret) : apiKey.keyPreview} secret={secret} />
      <dl className={classes.facts}>
        <Fact label="Last used">
          {apiKey.lastUsedAt ? <TimeText iso={apiKey.lastUsedAt} /> : 'Never'}
          {apiKey.lastOperation && (
            <span className={classes.last}>{describeLastOperation(apiKey.lastOperation)}</span>
          )}
        </Fact>
        <Fact label="Expires">
          <span className={classes.expiry}>
            {apiKey.expiresAt ? <TimeText iso={apiKey.expiresAt} /> : 'Never expires'}
          </span>
        </Fact>
        <Fact label="Permissions">{describePermissions(apiKey.permissions)}</Fact>
        <Fact label="Spaces">
          <span className={classes.spaces} dir="auto">
            {describeSpaces(apiKey.spaces, spaces)}
          </span>
        </Fact>
        <Fact label="Total requests">{formatNumber(apiKey.usage.totalRequests)}</Fact>
        <Fact label="Active days">{formatNumber(apiKey.usage.activeDays)}</Fact>
        <Fact label="Created">
          <TimeText iso={apiKey.createdAt} /> by {apiKey.createdBy.name}
        </Fact>
      </dl>
    </Card>
  )
}

function KeyText({ preview, secret }: { preview: string; secret: string | undefined }) {
  const [revealed, setRevealed] = useState(false)
  return (
    <div className={classes.key}>
      <code className={classes.code}>{revealed && secret ? secret : preview}</code>
      {secret && (
        <>
          <ActionIcon
            aria-label={revealed ? 'Hide key' : 'Reveal key'}
            aria-pressed={revealed}
            onClick={() => setRevealed(!revealed)}
          >
            {revealed ? <IconEyeOff size={16} /> : <IconEye size={16} />}
          </ActionIcon>
          <CopyIcon value={secret} label="Copy key" />
        </>
      )}
    </div>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function stateOf({ isExpired, isExpiringSoon }: ApiKey): 'active' | 'expiring' | 'expired' {
  if (isExpired) return 'expired'
  return isExpiringSoon ? 'expiring' : 'active'
}
