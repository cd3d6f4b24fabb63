import { Page } from '../../ui/page.tsx'

export function EntityPage() {
  return <Page title="Entity">{null}</Page>
}
