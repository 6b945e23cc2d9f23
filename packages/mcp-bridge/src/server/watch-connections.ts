import { limitTime } from '@toolblocks/protocol/internal'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server. */
export interface WatchedConnections {
  /** Whether a connection is above the limit. Its requests are answered, not cut, so that clients learn why they are refused. */
  isAbove(socket: Socket): boolean
}

/** Counts the connections of a server, and closes those that send no complete request head in time. */
export function watchConnections(
  server: Server,
  { most, headMs }: { most: number; headMs: number },
): WatchedConnections {
  const above = new WeakSet<Socket>()
  /** End the limit of a connection that has sent no request yet. */
  const silent = new WeakMap<Socket, () => void>()
  let open = 0
  server.on('connection', (socket) => {
    open += 1
    if (open > most) above.add(socket)
    const heard = limitTime(headMs, () => void socket.destroy())
    silent.set(socket, heard)
    socket.once('close', () => {
      open -= 1
      heard()
    })
  })
  server.on('request', ({ socket }) => silent.get(socket)?.())
  return { isAbove: (socket) => above.has(socket) }
}
