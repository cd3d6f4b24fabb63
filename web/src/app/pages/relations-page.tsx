import { Page } from '../../ui/page.tsx'

export function RelationsPage() {
  return <Page title="Relations">{null}</Page>
}
