#!/usr/bin/env perl
# A Sanssouci engine in Perl: plays the turn whose noble scores most, without knowing the rules.
#
#     sanssouci arena --players random,cmd:"perl examples/eager.pl"

use strict;
use warnings;
use JSON::PP;    # part of Perl

$| = 1;          # flush after every response
my $json = JSON::PP->new->canonical;

sub best_turn {
    my ($options) = @_;
    my ($best, $most) = ('', -1);
    for my $card (sort keys %{ $options->{cards} }) {
        for my $space (@{ $options->{cards}{$card} }) {
            for my $tile (@{ $options->{spaces}{$space} }) {
                for my $boar (@{ $options->{boar}{$tile} // [''] }) {
                    my $turn = "$card\@$space-$tile" . ($boar ? "~$boar" : '');
                    ($best, $most) = ($turn, 0) if $most < 0;
                    my $stops = $options->{stops}{$tile};
                    for my $stop (sort keys %$stops) {
                        ($best, $most) = ("$turn/$stop", $stops->{$stop}) if $stops->{$stop} > $most;
                    }
                }
            }
        }
    }
    return $best;
}

while (my $line = <STDIN>) {
    my $request  = $json->decode($line);
    my $type     = $request->{type};
    my %response = (type => $type, id => $request->{id});
    if    ($type eq 'hello') { %response = (type => $type, protocol => 1, name => 'eager in Perl') }
    elsif ($type eq 'pick')  { $response{side} = $request->{sides}[0] }
    elsif ($type eq 'turn')  { $response{turn} = best_turn($request->{options}) }
    elsif ($type eq 'quit')  { last }
    else                     { next }
    print $json->encode(\%response), "\n";
}
