import { explainMissingPeer } from '@toolblocks/protocol'
import { BEGIN, type PostgresClient, type Query } from './postgres-client.ts'

/** Most connections of one store; what needs more waits. */
const CONNECTIONS = 10

/** Reaches a database through `pg`, which is an optional peer. Connects when the first statement runs. */
export async function connectWithPg(url: string): Promise<PostgresClient> {
  const { default: pg } = await import('pg').catch((cause: unknown) => {
    throw explainMissingPeer(cause, { entry: 'the store postgres://', peer: 'pg' })
  })
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  // A connection that breaks while nobody uses it is replaced; the next statement would tell of a server that is gone.
  pool.on('error', ignore)
  return {
    query: async (text, values = []) => (await pool.query(text, [...values])).rows,
    async inTransaction(kind, work) {
      const connection = await pool.connect()
      connection.on('error', ignore)
      const query: Query = async (text, values = []) =>
        (await connection.query(text, [...values])).rows
      let isBroken = false
      try {
        await query(BEGIN[kind])
        const value = await work(query)
        await query('COMMIT')
        return value
      } catch (error) {
        await query('ROLLBACK').catch(() => {
          isBroken = true
        })
        throw error
      } finally {
        connection.off('error', ignore)
        connection.release(isBroken)
      }
    },
    async listen(channel, { told, lost }) {
      const connection = new pg.Client({ connectionString: url })
      connection.on('notification', ({ payload = '' }) => told(payload))
      connection.on('error', lost)
      connection.on('end', lost)
      await connection.connect()
      await connection.query(`LISTEN ${channel}`)
      return { leave: () => void connection.end().catch(ignore) }
    },
    close: () => pool.end(),
  }
}

/** The statement that runs tells of it too. */
const ignore = (): void => {}
