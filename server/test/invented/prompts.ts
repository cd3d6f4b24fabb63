/**
 * What a small team might keep after some months, and prompts to their agents: half of them touch something that is kept,
 * half only sound like it. Written before either was tried.
 */
export const team: Record<string, [type: string, ...facts: string[]]> = {
  'harbor-web': [
    'project',
    'harbor-web is a Next.js app, deployed to Fly.io by the release workflow on tags',
    'Feature flags of harbor-web live in config/flags.yaml and need a restart',
    'The session cookie of harbor-web is called hbr_sid and lasts 14 days',
  ],
  'harbor-api': [
    'project',
    'harbor-api is written in Go 1.23 with chi and sqlc',
    'Migrations of harbor-api run with goose, never by hand on production',
    'harbor-api listens on 8082 locally because 8080 belongs to Keycloak',
  ],
  Keycloak: [
    'service',
    'Keycloak runs in docker compose on port 8080, realm "harbor", admin password in 1Password',
  ],
  'Tide ledger': [
    'module',
    'The Tide ledger stores amounts in cents as bigint, since floats lost 0.3 cents a day',
    'Tide ledger entries are immutable; corrections are booked as reversals',
  ],
  'Berth allocation': [
    'feature',
    'Berth allocation uses a greedy pass, then simulated annealing for 2 seconds',
  ],
  'Priya Raman': [
    'person',
    'Priya Raman owns billing and is on leave until 12 January',
    'Priya Raman prefers pull requests below 300 lines',
  ],
  'Tomasz Zielak': ['person', 'Tomasz Zielak reviews everything that touches Terraform'],
  Norwind: ['customer', 'Norwind gets invoices in NOK with a purchase order number on each line'],
  'Casablanca Marina': ['customer', 'Casablanca Marina may store personal data in the eu-west-3 region only'],
  'RFC 21': ['decision', 'RFC 21 replaces polling of gate sensors by MQTT with QoS 1'],
  'nightly export': ['job', 'The nightly export starts at 02:30 UTC and must end before the 05:00 backup'],
  gatekeeper: [
    'service',
    'gatekeeper caches permissions for 60 seconds, so revocations are late by a minute',
  ],
  'flaky ferry test': [
    'problem',
    'The flaky ferry test failed because of daylight saving time; it is pinned to UTC since PR 812',
  ],
  Datadog: ['technology', 'Datadog was dropped for Grafana Cloud in October because of its price per host'],
  'Mapbox token': [
    'credential',
    'The Mapbox token is limited to the domain harbor.example and rotates each quarter',
  ],
  'design tokens': [
    'convention',
    'Design tokens are generated from Figma with style-dictionary; edit no CSS by hand',
  ],
  'Project Lantern': ['project', 'Project Lantern shows crews their shifts offline, with CRDTs from Yjs'],
  'Ines Duarte': [
    'person',
    'Ines Duarte speaks for the crews and tests each Lantern release on a Galaxy Tab',
  ],
  webhooks: ['feature', 'Webhooks are signed with Ed25519 and tried for 48 hours'],
  'pricing v3': ['decision', 'pricing v3 charges by berth and night, without a base fee, from 1 March'],
}

export const related: [prompt: string, fact: RegExp][] = [
  ['why is harbor-api on 8082 and not on 8080?', /belongs to Keycloak/],
  ['turn on the new map in harbor-web behind a feature flag', /flags\.yaml/],
  ['I cannot log in to keycloak locally, where is the admin password', /1Password/],
  ['add a column "tariff" to the berths table of harbor-api and migrate it', /goose/],
  ['the tide ledger is off by one cent, write a fix that updates the entry', /reversals/],
  ['Make berth allocation faster for 400 ships', /annealing/],
  ['who can review my billing change while Priya is away?', /12 January/],
  ['split this branch into pull requests as Priya Raman would like them', /300 lines/],
  ['I changed terraform/network.tf, ask Tomasz for a review', /Terraform/],
  ['write the invoice template for Norwind', /NOK/],
  ['Move the photos of Casablanca Marina to the new bucket', /eu-west-3/],
  ['implement the sensor client after RFC 21', /QoS 1/],
  ['can we start the nightly export an hour later?', /05:00 backup/],
  ['a revoked user could still open the gate for half a minute, is gatekeeper broken?', /60 seconds/],
  ['The flaky ferry test is red again', /PR 812/],
  ['add the Datadog agent to the new hosts', /Grafana Cloud/],
  ['map tiles answer 403 on staging.harbor.test, check the Mapbox token', /harbor\.example/],
  ['change the primary colour in the design tokens to teal', /Figma/],
  ['plan the next release of Project Lantern with Ines', /Galaxy Tab|CRDT/],
  ['what does pricing v3 mean for guests who stay one night?', /without a base fee/],
]

export const unrelated = [
  'sort this list of numbers in descending order',
  'write a unit test for the function below',
  'why does my terminal show weird characters after I cat a binary file?',
  'Please rename the variable x to count everywhere in this file',
  'the harbor in this picture looks lovely, write a caption for it',
  'explain the tide tables of the Atlantic coast to a beginner',
  'what is the export keyword in TypeScript for?',
  'undo the last change, it broke the layout',
  'write a regular expression for ISO dates',
  'how many tokens does this text have?',
  'is it a good decision to learn Rust in winter?',
  'my nightly build takes long, how do people speed up webpack?',
  'ok, now do the same for the second file',
  'compare QUIC and TCP in five bullet points',
  'give me a pricing table in HTML with three columns',
  'design a logo for a bakery',
  'who wrote the novel The Ferryman?',
  'fix the typo in the heading and commit',
  'how do I run only one test with vitest?',
  'translate "good morning, crew" into Portuguese',
]
