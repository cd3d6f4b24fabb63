import { Page } from '../../ui/page.tsx'

export function DashboardPage() {
  return <Page title="Dashboard">{null}</Page>
}
