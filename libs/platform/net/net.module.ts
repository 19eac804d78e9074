import { Global, Module } from '@nestjs/common';
import { HostNames } from './host-names';

/** Access to servers whose addresses come from accounts. */
@Global()
@Module({ providers: [HostNames], exports: [HostNames] })
export class NetModule {}
