import { brandOf, type PaymentMethod } from '@loci/contract/billing'
import { ActionIcon, Badge, Button, Text } from '@mantine/core'
import { IconCreditCard, IconTrash } from '@tabler/icons-react'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import rows from '../../ui/rows.module.css'
import { useSetDefaultCard } from './billing.queries.ts'
import classes from './payment-method-list.module.css'

type PaymentMethodListProps = { cards: PaymentMethod[]; onRemove: (card: PaymentMethod) => void }

export function PaymentMethodList({ cards, onRemove }: PaymentMethodListProps) {
  if (cards.length === 0) return <p className={rows.none}>No payment methods on file</p>
  return (
    <ul>
      {cards.map((card) => (
        <CardRow key={card.id} card={card} onRemove={() => onRemove(card)} />
      ))}
    </ul>
  )
}

function CardRow({ card, onRemove }: { card: PaymentMethod; onRemove: () => void }) {
  const setDefault = useSetDefaultCard()

  function makeDefault() {
    setDefault.mutate(card.id, {
      onSuccess: () => notifySuccess('Default payment method updated'),
      onError: (error) => notifyError('Failed to update default payment method', messageOf(error, '')),
    })
  }

  return (
    <li className={`${rows.row} ${classes.card}`}>
      <IconCreditCard size={18} aria-hidden />
      <div className={classes.facts}>
        <Text fw={500} className="loci-number" truncate>
          {brandOf(card)} •••• {card.last4}
        </Text>
        <Text size="xs" c="dimmed" className="loci-number">
          Expires {String(card.expMonth).padStart(2, '0')}/{card.expYear}
        </Text>
      </div>
      <div className={classes.standing}>
        {card.isDefault ? (
          <Badge color="gray">Default</Badge>
        ) : (
          <Button variant="default" size="xs" loading={setDefault.isPending} onClick={makeDefault}>
            Set as Default
          </Button>
        )}
      </div>
      <ActionIcon aria-label={`Remove ${brandOf(card)} ending in ${card.last4}`} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </li>
  )
}
