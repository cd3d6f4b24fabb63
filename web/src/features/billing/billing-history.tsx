import type { Invoice } from '@loci/contract/billing'
import { formatMoney } from '@loci/contract/money'
import { Anchor, Badge, Group, Table } from '@mantine/core'
import { toIso } from '../../lib/format.ts'
import rows from '../../ui/rows.module.css'
import { UtcDate } from '../../ui/utc-date.tsx'
import classes from './billing-history.module.css'
import { marksOf } from './invoice-marks.ts'

export function BillingHistory({ invoices }: { invoices: Invoice[] }) {
  if (invoices.length === 0) return <p className={rows.none}>No billing history available</p>
  return (
    <Table className={`${classes.table} loci-number`}>
      <Table.Thead>
        <Table.Tr>
          {['Invoice', 'Date', 'Amount', 'Status', 'Actions'].map((name) => (
            <Table.Th key={name} fw={500}>
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invoices.map((invoice) => (
          <InvoiceRow key={invoice.id} invoice={invoice} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function InvoiceRow({ invoice }: { invoice: Invoice }) {
  const { number, created, currency, amount, credit, status, hostedInvoiceUrl, invoicePdf } = invoice
  const money = (value: number) => formatMoney(value, currency)
  return (
    <Table.Tr>
      <Table.Td>{number}</Table.Td>
      <Table.Td>
        <UtcDate iso={toIso(created)} />
      </Table.Td>
      <Table.Td>{credit > 0 ? `${money(credit)} credit` : money(amount)}</Table.Td>
      <Table.Td>
        <Group gap={6} className={classes.marks}>
          <Badge miw="max-content" color={status === 'paid' ? 'green' : 'orange'}>
            {status}
          </Badge>
          {marksOf(invoice).map(({ text, color }) => (
            <Badge key={text} miw="max-content" color={color}>
              {text}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        {hostedInvoiceUrl !== null && (
          <NewTabLink
            href={hostedInvoiceUrl}
            label={`${status === 'open' ? 'Pay' : 'View'} invoice ${number}`}
          >
            {status === 'open' ? 'Pay' : 'View'}
          </NewTabLink>
        )}
        {invoicePdf !== null && (
          <NewTabLink href={invoicePdf} label={`PDF of invoice ${number}`}>
            PDF
          </NewTabLink>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

function NewTabLink({ href, label, children }: { href: string; label: string; children: string }) {
  return (
    <Anchor href={href} target="_blank" rel="noreferrer" aria-label={label} className={classes.link}>
      {children}
    </Anchor>
  )
}
