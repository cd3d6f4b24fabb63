import { Page } from '../../ui/page.tsx'

export function GraphPage() {
  return <Page title="Graph">{null}</Page>
}
