import { Button, Group, Stack } from '@mantine/core'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type FormEvent, useEffect, useState } from 'react'
import { useUnsaved } from '../../lib/unsaved.ts'
import { useScheme } from '../../lib/use-scheme.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useUntilNewCard } from './use-until-new-card.ts'

const failure = 'Failed to add payment method'

type StripeCardFormProps = {
  clientSecret: string
  publishableKey: string
  onAdded: () => void
  onClose: () => void
}

/** Stripe's own form, in its own chunk: it loads a script from Stripe, and only when a user adds a card. */
export default function StripeCardForm({ clientSecret, publishableKey, ...actions }: StripeCardFormProps) {
  const [stripe, setStripe] = useState(() => loadStripe(publishableKey))
  const [unreachable, setUnreachable] = useState(false)
  const scheme = useScheme()

  useEffect(() => {
    stripe.catch(() => setUnreachable(true))
  }, [stripe])

  function retry() {
    setUnreachable(false)
    setStripe(loadStripe(publishableKey))
  }

  if (unreachable) return <ErrorAlert message={failure} onRetry={retry} />
  const appearance = { theme: scheme === 'dark' ? ('night' as const) : ('stripe' as const) }
  return (
    <Elements stripe={stripe} options={{ clientSecret, appearance }}>
      <CardElementForm {...actions} />
    </Elements>
  )
}

function CardElementForm({ onAdded, onClose }: Pick<StripeCardFormProps, 'onAdded' | 'onClose'>) {
  const stripe = useStripe()
  const elements = useElements()
  const untilNewCard = useUntilNewCard()
  const [problem, setProblem] = useState<string>()
  const [pending, setPending] = useState(false)
  const [touched, setTouched] = useState(false)
  useUnsaved(touched, pending)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!stripe || !elements) return
    setPending(true)
    setProblem(undefined)
    const { error } = await stripe.confirmSetup({
      elements,
      redirect: 'if_required',
      confirmParams: { return_url: `${window.location.origin}/billing` },
    })
    if (!error) await untilNewCard()
    setPending(false)
    if (error) setProblem(error.message ?? failure)
    else onAdded()
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="md">
        {problem && <ErrorAlert message={problem} />}
        <PaymentElement
          onChange={({ empty }) => setTouched(!empty)}
          onLoadError={({ error }) => setProblem(error.message ?? failure)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={pending} disabled={!stripe || !elements}>
            Add Card
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
