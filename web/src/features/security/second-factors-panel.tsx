import type { Passkey, SecondFactors } from '@loci/contract/second-factors'
import { passkeyNameMax, recoveryCodesPerPerson } from '@loci/contract/second-factors'
import { Badge, Button, Modal, Skeleton, Text } from '@mantine/core'
import { IconDeviceMobileMessage, IconFingerprint, IconLifebuoy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { passkeyHint } from '../../lib/passkeys.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import rows from '../../ui/rows.module.css'
import { TimeText } from '../../ui/time-text.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { PasskeySetup } from './passkey-setup.tsx'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import classes from './security.module.css'
import {
  useDeletePasskey,
  useDeleteTotp,
  useRenamePasskey,
  useRollRecoveryCodes,
  useSecondFactors,
} from './security.queries.ts'
import { TotpSetup } from './totp-setup.tsx'

/** `flush`: the rows reach the edges of a card. */
type PanelProps = { flush?: boolean }

/** What the person signs in with beside the password, or in its place. */
export function SecondFactorsPanel({ flush = true }: PanelProps) {
  const query = useSecondFactors()
  return (
    <Loaded
      query={query}
      failure="Failed to load how you sign in"
      waiting={
        <div className={rows.row}>
          <Skeleton height={18} />
        </div>
      }
    >
      {(factors) => <Factors factors={factors} flush={flush} />}
    </Loaded>
  )
}

type Dialog = 'totp' | 'totp off' | 'passkey' | 'rename' | 'remove' | 'codes'

function Factors({ factors, flush }: Required<PanelProps> & { factors: SecondFactors }) {
  const { totp, passkeys, recoveryCodes } = factors
  const dialog = useDialog<Dialog, Passkey>()
  const hint = passkeyHint()
  return (
    <>
      <ul className={`${classes.factors} ${flush ? '' : classes.bare}`}>
        <Row
          icon={<IconDeviceMobileMessage size={18} aria-hidden />}
          name="Authenticator app"
          badge={totp && <Badge color="green">On</Badge>}
          detail={
            totp ? (
              <>
                On since <TimeText iso={totp.since} inline />
              </>
            ) : (
              'A six-digit code after the password.'
            )
          }
        >
          <Button variant="default" size="xs" onClick={() => dialog.open('totp')}>
            {totp ? 'Replace' : 'Set Up'}
          </Button>
          {totp && (
            <Button variant="default" size="xs" onClick={() => dialog.open('totp off')}>
              Turn Off
            </Button>
          )}
        </Row>
        <Row
          icon={<IconFingerprint size={18} aria-hidden />}
          name="Passkeys"
          detail={hint ?? 'Sign in by finger, face or PIN, without the password.'}
        >
          <Button
            variant="default"
            size="xs"
            disabled={hint !== undefined}
            onClick={() => dialog.open('passkey')}
          >
            Add a Passkey
          </Button>
        </Row>
        {passkeys.map((passkey) => (
          <Row
            key={passkey.id}
            name={passkey.name}
            badge={passkey.synced && <Badge color="gray">Synced</Badge>}
            detail={<PasskeyUse {...passkey} />}
          >
            <Button
              variant="default"
              size="xs"
              aria-label={`Rename ${passkey.name}`}
              onClick={() => dialog.open('rename', passkey)}
            >
              Rename
            </Button>
            <Button
              variant="default"
              size="xs"
              aria-label={`Remove ${passkey.name}`}
              onClick={() => dialog.open('remove', passkey)}
            >
              Remove
            </Button>
          </Row>
        ))}
        {(totp || passkeys.length > 0) && (
          <Row
            icon={<IconLifebuoy size={18} aria-hidden />}
            name="Recovery codes"
            badge={recoveryCodes < 4 && <Badge color="yellow">Few left</Badge>}
            detail={`${recoveryCodes} of ${recoveryCodesPerPerson} left`}
          >
            <Button variant="default" size="xs" onClick={() => dialog.open('codes')}>
              Make New Ones
            </Button>
          </Row>
        )}
      </ul>
      <Dialogs factors={factors} dialog={dialog} />
    </>
  )
}

type RowProps = { icon?: ReactNode; name: string; badge?: ReactNode; detail: ReactNode; children: ReactNode }

function Row({ icon = <span style={{ width: 18 }} />, name, badge, detail, children }: RowProps) {
  return (
    <li className={`${rows.row} ${classes.factor}`}>
      {icon}
      <div className={rows.main}>
        <div className={classes.head}>
          <div className={rows.name} title={name}>
            {name}
          </div>
          {badge}
        </div>
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      </div>
      <div className={classes.tools}>{children}</div>
    </li>
  )
}

function PasskeyUse({ createdAt, lastUsedAt }: Passkey) {
  return (
    <>
      Added <TimeText iso={createdAt} inline />
      {lastUsedAt !== null && (
        <>
          {' '}
          · last used <TimeText iso={lastUsedAt} inline />
        </>
      )}
    </>
  )
}

type DialogsProps = { factors: SecondFactors; dialog: ReturnType<typeof useDialog<Dialog, Passkey>> }

function Dialogs({ factors, dialog }: DialogsProps) {
  const { isOpen, close, subject } = dialog
  const removeTotp = useDeleteTotp()
  const renamePasskey = useRenamePasskey()
  const removePasskey = useDeletePasskey()
  // The dialog asks for the proof that was required when it opened.
  const shared = { factors, onCancel: close }
  return (
    <>
      <Modal opened={isOpen('totp')} onClose={close} title="Set up an authenticator app">
        <TotpSetup factors={factors} onClose={close} />
      </Modal>
      <Modal opened={isOpen('passkey')} onClose={close} title="Add a passkey">
        <PasskeySetup factors={factors} onClose={close} />
      </Modal>
      <Modal opened={isOpen('totp off')} onClose={close} title="Turn off the authenticator app">
        <ProofForm
          {...shared}
          submitLabel="Turn Off"
          onProof={async (proof) => {
            await removeTotp.mutateAsync(proof)
            close()
          }}
        />
      </Modal>
      <NameDialog
        opened={isOpen('rename')}
        title="Rename passkey"
        label="Name"
        name={subject?.name}
        action="Rename"
        maxLength={passkeyNameMax}
        onSubmit={(name) => renamePasskey.mutateAsync({ id: subject!.id, name })}
        onClose={close}
      />
      <Modal opened={isOpen('remove')} onClose={close} title={`Remove ${subject?.name ?? 'the passkey'}`}>
        <ProofForm
          {...shared}
          submitLabel="Remove Passkey"
          onProof={async (proof) => {
            await removePasskey.mutateAsync({ id: subject!.id, proof })
            close()
          }}
        />
      </Modal>
      <Modal opened={isOpen('codes')} onClose={close} title="New recovery codes">
        <NewCodes factors={factors} onClose={close} />
      </Modal>
    </>
  )
}

function NewCodes({ factors, onClose }: { factors: SecondFactors; onClose: () => void }) {
  const [codes, setCodes] = useState<string[]>()
  const roll = useRollRecoveryCodes()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onClose} />
  return (
    <ProofForm
      factors={factors}
      submitLabel="Make New Codes"
      onProof={async (proof) => setCodes((await roll.mutateAsync(proof)).recoveryCodes ?? [])}
      onCancel={onClose}
    />
  )
}
