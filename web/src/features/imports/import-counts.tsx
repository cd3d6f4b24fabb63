import type { ImportReport } from '@loci/contract/imports'
import { formatNumber } from '../../lib/format.ts'
import classes from './import-status.module.css'

type ImportCountsProps = {
  title: string
  report: Pick<ImportReport, 'entities' | 'observations' | 'relations'>
}

export function ImportCounts({ title, report }: ImportCountsProps) {
  const rows = [
    ['Entities', report.entities],
    ['Observations', report.observations],
    ['Relations', report.relations],
  ] as const
  return (
    <table className={classes.counts}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">New</th>
          <th scope="col">Already stored</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([label, { created, existing }]) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            <td>{formatNumber(created)}</td>
            <td>{formatNumber(existing)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
