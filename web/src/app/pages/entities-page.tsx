import { Page } from '../../ui/page.tsx'

export function EntitiesPage() {
  return <Page title="Entities">{null}</Page>
}
