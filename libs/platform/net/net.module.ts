import { Global, Module } from '@nestjs/common';
import { HostNames } from './host-names';

/** Access to addresses given by accounts. */
@Global()
@Module({ providers: [HostNames], exports: [HostNames] })
export class NetModule {}
