import { passkeyNameMax, type SecondFactors } from '@loci/contract/second-factors'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ProofForm } from './proof-form.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { useAddPasskey } from './security.queries.ts'

type Props = { factors: SecondFactors; onClose: () => void }

/** Asks for a name and a proof of identity, then opens the browser's dialog, then shows any new recovery codes. */
export function PasskeySetup({ factors, onClose }: Props) {
  const [name, setName] = useState('')
  const [codes, setCodes] = useState<string[]>()
  const add = useAddPasskey()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onClose} />
  return (
    <ProofForm
      factors={factors}
      submitLabel="Add Passkey"
      disabled={name.trim() === ''}
      onProof={async (proof) => {
        const { recoveryCodes } = await add.mutateAsync({ name: name.trim(), proof })
        if (recoveryCodes === null) onClose()
        else setCodes(recoveryCodes)
      }}
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        placeholder="My laptop"
        maxLength={passkeyNameMax}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ProofForm>
  )
}
