import { DoorCallsResponse, DoorTrial, TryDoor } from '../doors.ts'
import { endpoints } from '../endpoint.ts'
import { json } from './statuses.ts'

const restriction = "others' keys and connections need the role owner or admin"

export const doorsApi = endpoints({
  listDoorCalls: {
    method: 'GET',
    path: '/api/doors/calls',
    access: 'keys:manage',
    restriction,
    tag: 'API keys',
    summary: 'List the newest call of each key and connection in each space',
    ...json,
    response: DoorCallsResponse,
  },
  tryDoor: {
    method: 'POST',
    path: '/api/doors/try',
    access: 'keys:manage',
    restriction,
    tag: 'API keys',
    summary: 'Get what an agent would be told through a key or a connection; it writes nothing',
    reads: true,
    ...json,
    body: TryDoor,
    response: DoorTrial,
  },
})
