/** Technologies, each with a true fact. */
export const technologies: Record<string, string> = {
  PostgreSQL: 'Relational database; our default store for anything that must not be lost',
  Kafka: 'Log of events; topics are owned by the producing team',
  Redis: 'In-memory store; used for caches and rate limits only, never as the source of truth',
  RabbitMQ: 'Message broker for work queues with acknowledgements',
  TimescaleDB: 'PostgreSQL extension for time series; holds vehicle positions',
  SQLite: 'Embedded database; stores the shift on the phone',
  Rust: 'Used where latency matters; the planner is the only service in it',
  Go: 'Default language for platform services',
  Kotlin: 'Used by the billing team and the driver app',
  Java: 'Kept for the EDI gateway because of its parsers',
  Python: 'Forecasting and data work',
  TypeScript: 'All web front ends and the public API',
  React: 'User interface library of the customer portal',
  GraphQL: 'Query layer between portal and services; persisted queries only',
  OSRM: 'Open source routing engine on OpenStreetMap data',
  'Apache Iceberg': 'Table format of the event lake',
  DuckDB: 'Analysts query the lake with it on their own machines',
  MinIO: 'Object store with the S3 interface, run by us',
  Kubernetes: 'Runs everything but the databases',
  Terraform: 'Describes all infrastructure; changes go through review',
  Prometheus: 'Collects metrics',
  Grafana: 'Dashboards; every service has one named after it',
  OpenTelemetry: 'Traces and their context between services',
}

/** Customers and partners: name, relationship to us, facts. */
export const companies: [name: string, kind: string, facts: string[]][] = [
  [
    'Fjordline Foods',
    'customer',
    [
      'Ships frozen fish to 14 countries',
      'Needs temperature logs with every delivery',
      'Contract renews in February 2027',
    ],
  ],
  [
    'Bauwerk Supply',
    'customer',
    ['Building materials in Germany and Austria', 'Delivers to construction sites before 07:00'],
  ],
  [
    'Lumen Retail Group',
    'customer',
    ['320 stores, weekly replenishment', 'Asked for slot booking in the portal'],
  ],
  ['Castell Wines', 'customer', ['Peaks in November and December', 'Insures every pallet separately']],
  [
    'Orbis Medical',
    'customer',
    [
      'Refuses any carrier without GDP certification',
      'Wants a phone call, not a mail, when a delivery is late',
    ],
  ],
  [
    'Nordhavn Port',
    'partner',
    ['Publishes berth times every 15 minutes', 'Its API returns local time without a zone'],
  ],
  ['Alpenspedition', 'carrier', ['Covers Switzerland and northern Italy', 'Late twice in September 2026']],
  ['Baltic Haul', 'carrier', ['Best on-time rate of the Baltic lanes', 'Invoices by fax until 2025']],
  [
    'Greenwheel',
    'carrier',
    ['Electric trucks only, up to 300 km', 'Pilot with Lumen Retail Group since August 2026'],
  ],
  ['Sud Express', 'carrier', ['Spain and Portugal', 'Accepts loads until 16:00']],
  ['Helios Maps', 'vendor', ['Supplies truck restrictions', 'Price rises by 8 percent in 2027']],
  ['Paylane', 'vendor', ['Processes card payments', 'Settles on the second working day']],
  [
    'Tessera Cloud',
    'vendor',
    ['Hosts our clusters in Frankfurt and Stockholm', 'Committed spend until December 2027'],
  ],
  ['Kvist Robotics', 'customer', ['Small shipments, high value', 'Needs customs papers for Norway']],
  ['Meridian Chemicals', 'customer', ['Dangerous goods class 3 and 8', 'Audits us every spring']],
  ['Atelier Blanc', 'customer', ['Furniture, two-person deliveries', 'Returns run at 6 percent']],
]

/** Decisions, each with its reason and subject. */
export const decisions: [title: string, about: string, decided: string, facts: string[]][] = [
  [
    'Keep money as integer cents',
    'invoice-ledger',
    'Lukas Brandt',
    ['Rounding differences of 2024 cost two weeks of work', 'Applies to every service and report'],
  ],
  [
    'Offline first for drivers',
    'driver-app',
    'Diego Fernandez',
    ['Tunnels and depots have no signal', 'Sync resolves by server time'],
  ],
  [
    'One database per service',
    'PostgreSQL',
    'Tomasz Kowalski',
    ['Shared tables blocked three migrations in 2023', 'Reports read from the event lake instead'],
  ],
  [
    'Persisted queries only',
    'GraphQL',
    'Mei Lin',
    ['Stops unbounded queries from the browser', 'Build fails on an unregistered query'],
  ],
  [
    'No personal data in logs',
    'observability-stack',
    'Noor Haddad',
    ['Found driver names in traces during the 2025 audit'],
  ],
  [
    'Six-week planning cycle',
    'customer-portal',
    'Samuel Okafor',
    ['Two-week sprints left no room for discovery'],
  ],
  [
    'Arrivals as ranges',
    'eta-service',
    'Elena Petrova',
    ['Customers planned staff on single minutes', 'The range holds in 9 of 10 cases'],
  ],
  ['Passkeys before passwords', 'identity', 'Noor Haddad', ['Phishing simulation had a 12 percent hit rate']],
  [
    'Retire API version 1',
    'public-api',
    'Felix Laurent',
    ['Only 9 customers are left on it', 'Ends on 30 June 2027'],
  ],
  [
    'Buy truck restrictions from Helios Maps',
    'route-planner',
    'Oliver Grant',
    ['Open data missed 4 percent of low bridges'],
  ],
  [
    'Carriers are scored monthly',
    'carrier-match',
    'Zanele Dlamini',
    ['Weekly scores jumped with single bad days'],
  ],
  ['Webhooks are signed', 'notification-hub', 'Noor Haddad', ['HMAC over the raw body with a timestamp']],
  [
    'Documents are never overwritten',
    'document-store',
    'Jonas Weber',
    ['A replaced waybill lost a court case in 2022'],
  ],
  [
    'Frankfurt is primary, Stockholm stands by',
    'ci-runners',
    'Jonas Weber',
    ['Failover is rehearsed each quarter'],
  ],
]

/** Incidents: what broke, when, what it affected, who fixed it, what was learned. */
export const incidents: [title: string, service: string, fixedBy: string, facts: string[]][] = [
  [
    'Tracking delay of 14 April',
    'tracking-ingest',
    'Tomasz Kowalski',
    [
      'Positions were 40 minutes late',
      'Autovacuum blocked behind a long report',
      'Fix: statement timeout for reports',
    ],
  ],
  [
    'Wrong tolls in Austria',
    'toll-calculator',
    'Priya Raman',
    ['Tariff file of the wrong vehicle class', 'Fix: the file names its class and is checked'],
  ],
  [
    'Double invoices of July',
    'invoice-ledger',
    'Lukas Brandt',
    ['A retried message created 212 invoices twice', 'Fix: idempotency keys on every consumer'],
  ],
  [
    'Portal outage on Black Friday',
    'customer-portal',
    'Mei Lin',
    ['A feature flag fetched on every request', 'Fix: flags are cached for 10 seconds'],
  ],
  [
    'Daylight saving shift',
    'route-planner',
    'Sofia Rossi',
    ['Routes on 26 October 2025 started an hour early', 'Fix: all planning in UTC, zones only at the edges'],
  ],
  [
    'Certificate expiry at the gateway',
    'edi-gateway',
    'Noor Haddad',
    ['Two partners could not deliver for three hours', 'Fix: alerts 30 days ahead'],
  ],
  [
    'Phantom deliveries',
    'driver-app',
    'Diego Fernandez',
    ['Scans were replayed after a reinstall', 'Fix: scans carry a device-independent id'],
  ],
  [
    'Cold chain gap',
    'notification-hub',
    'Ben Carter',
    ['Temperature alerts went to an unread mailbox', 'Fix: alerts to Fjordline Foods go by text message'],
  ],
  [
    'Slow carrier suggestions',
    'carrier-match',
    'Zanele Dlamini',
    ['A missing index after the June migration', 'Fix: query plans are checked in review'],
  ],
  [
    'Webhook storm',
    'notification-hub',
    'Jonas Weber',
    ['A customer endpoint answered 500 for a day', 'Fix: backoff grows to one hour'],
  ],
]
