import { LayoutServer } from './layout-server.ts'

new LayoutServer(self as unknown as ConstructorParameters<typeof LayoutServer>[0])
