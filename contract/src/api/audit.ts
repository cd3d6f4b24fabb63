import { AuditResponse, ExportAuditQuery, ListAuditQuery } from '../audit.ts'
import { endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

export const auditApi = endpoints({
  listAudit: {
    method: 'GET',
    path: '/api/audit',
    access: 'members:manage',
    tag: 'Audit',
    summary: "List the account's audit events, newest first",
    ...json,
    query: ListAuditQuery,
    response: AuditResponse,
  },
  exportAudit: {
    method: 'GET',
    path: '/api/audit/export',
    access: 'members:manage',
    tag: 'Audit',
    summary: 'Export all audit events as CSV, newest first',
    ...json,
    query: ExportAuditQuery,
    produces: 'text/csv; charset=utf-8',
  },
})
