import type { ImportReport } from '@loci/contract/imports'
import { formatNumber } from '../../lib/format.ts'
import classes from './import-status.module.css'

export function ImportCounts({ report }: { report: ImportReport }) {
  const rows = [
    ['Entities', report.entities],
    ['Observations', report.observations],
    ['Relations', report.relations],
  ] as const
  return (
    <table className={classes.counts}>
      <thead>
        <tr>
          <th scope="col">Imported</th>
          <th scope="col">New</th>
          <th scope="col">Already there</th>
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
