import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** Returns ports of the loopback address at which nothing listens now, for programs that are told their port. */
export async function findFreePorts(wanted: number): Promise<readonly number[]> {
  const servers = Array.from({ length: wanted }, () => createServer())
  for (const server of servers) await once(server.listen(0, '127.0.0.1'), 'listening')
  const ports = servers.map((server) => getPort(server.address()))
  await Promise.all(servers.map(async (server) => await new Promise((done) => server.close(done))))
  return ports
}

/** Returns one such port. */
export async function findFreePort(): Promise<number> {
  const [port = 0] = await findFreePorts(1)
  return port
}

/** Returns the port at which a server listens. */
export function getPort(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0
}
