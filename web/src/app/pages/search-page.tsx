import { Page } from '../../ui/page.tsx'

export function SearchPage() {
  return <Page title="Search">{null}</Page>
}
