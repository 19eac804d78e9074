import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy between a browser and a server. It can cut the network: open connections break, and new ones fail. */
export class Cable {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private target: URL | null = null;

  private constructor(private readonly server: Server) {}

  /** A proxy to the server with this origin. */
  static async to(origin: string): Promise<Cable> {
    const cable = await Cable.disconnected();
    cable.connectTo(origin);
    return cable;
  }

  /** A proxy that is not connected to a server yet, for a server that needs the origin of the proxy at its start. */
  static async disconnected(): Promise<Cable> {
    const cable: Cable = new Cable(
      createServer((client) => {
        if (cable.isCut || cable.target === null) return void client.destroy();
        const upstream = connect(Number(cable.target.port), cable.target.hostname);
        for (const [one, other] of [
          [client, upstream],
          [upstream, client],
        ] as const) {
          cable.sockets.add(one);
          one.on('error', () => other.destroy());
          one.on('close', () => {
            cable.sockets.delete(one);
            other.destroy();
          });
          one.pipe(other);
        }
      }),
    );
    await new Promise<void>((resolve) => void cable.server.listen(0, '127.0.0.1', resolve));
    return cable;
  }

  connectTo(origin: string): void {
    this.target = new URL(origin);
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  reconnect(): void {
    this.isCut = false;
  }

  async remove(): Promise<void> {
    this.cut();
    await new Promise<void>((resolve) => void this.server.close(() => resolve()));
  }
}
