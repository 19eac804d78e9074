import { Global, Module } from '@nestjs/common';
import { HostNames } from './host-names';

/** Access to hosts and addresses that accounts give. */
@Global()
@Module({ providers: [HostNames], exports: [HostNames] })
export class NetModule {}
