import type { MonthlySummary } from '@loci/contract/analytics'
import { Table, Text } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'
import classes from './operation-details.module.css'

const detailsShown = 5

/** The most requested operations of the month. */
export function OperationDetails({ details }: { details: MonthlySummary['details'] }) {
  if (details.length === 0) return <Text c="dimmed">No operations this month</Text>
  return (
    <Table.ScrollContainer minWidth={280} type="native">
      <Table verticalSpacing={8} horizontalSpacing={0} className={classes.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th fw={500}>Operation</Table.Th>
            <Table.Th fw={500}>Resource</Table.Th>
            <Table.Th fw={500} ta="right">
              Avg. response
            </Table.Th>
            <Table.Th fw={500} ta="right">
              Requests
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody className="loci-number">
          {details.slice(0, detailsShown).map((detail) => (
            <Table.Tr key={`${detail.operation_type} ${detail.resource_type}`}>
              <Table.Td>{detail.operation_type}</Table.Td>
              <Table.Td>{detail.resource_type}</Table.Td>
              <Table.Td ta="right">
                {formatNumber(Math.round(detail.avg_response_time * 10) / 10)} ms
              </Table.Td>
              <Table.Td ta="right">{formatNumber(detail.request_count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
