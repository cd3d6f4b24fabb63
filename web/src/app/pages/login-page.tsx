import { Page } from '../../ui/page.tsx'

export function LoginPage() {
  return <Page title="Login">{null}</Page>
}
